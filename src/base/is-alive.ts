export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives and belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
