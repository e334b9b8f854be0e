declare module 'picomatch' {
  function picomatch(
    glob: string,
    options: { dot: boolean; nocase: boolean; bash: boolean },
  ): (path: string) => boolean;
  export = picomatch;
}
