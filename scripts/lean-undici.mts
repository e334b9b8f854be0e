import type { BuildOptions, Plugin } from 'esbuild';

/** What is left out, and why nothing misses it. */
const leftOut: readonly { filter: RegExp; instead: string }[] = [
  // `allowH2` is off. It would load `node:http2`, the larger part of the time that loading takes.
  { filter: /\/client-h2(\.js)?$/, instead: `module.exports = () => { throw new Error('HTTP/2 is off') }` },
  // For bodies that are forms, blobs or streams; ours are texts.
  { filter: /\/web\/fetch\/(body|formdata)(\.js)?$/, instead: '' },
  { filter: /\/web\/webidl(\/index\.js)?$/, instead: `exports.webidl = { is: { FormData: () => false } }` },
  // The real one brings what draws differences between values.
  {
    filter: /^node:assert$/,
    instead: `module.exports = (ok, why) => { if (!ok) throw why instanceof Error ? why : new Error(why ?? 'undici: an assertion failed') }`,
  },
];

const leaveOut: Plugin = {
  name: 'leave-out',
  setup(build) {
    leftOut.forEach(({ filter, instead }, index) => {
      build.onResolve({ filter }, ({ importer }) =>
        importer.includes('undici') ? { path: String(index), namespace: 'left-out' } : undefined,
      );
      build.onLoad({ filter: new RegExp(`^${index}$`), namespace: 'left-out' }, () => ({ contents: instead }));
    });
  },
};

/** How the direct connection is bundled: of undici only what HTTP/1.1 with texts needs. */
export const leanUndici: Pick<BuildOptions, 'define' | 'plugins'> = {
  // As in Node itself: without undici's second, experimental parser.
  define: { esbuildDetection: 'true' },
  plugins: [leaveOut],
};
