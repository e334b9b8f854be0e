/**
 * What the server writes because it was installed without native builds (file logging, the parent watchdog, device ids),
 * and its greeting. Everything else is worth reading.
 */
const noise = [
  /^\s*$/,
  /^\*$/,
  /^Server bound to/,
  /^Extension host agent listening/,
  /Could not locate the bindings file/,
  /^\s*→ /,
  /^\s+at /,
  /^\s*tries: \[/,
  /^\s+'.*\.node',?$/,
  /^\s*\]$/,
  /^\s*\}$/,
  /^\s*code: 'ERR_DLOPEN_FAILED'/,
  /spdlog|native-watchdog|node-watchdog|kerberos/i,
  /^\[\d\d:\d\d:\d\d\]\s*$/,
  /^\[\d\d:\d\d:\d\d\] (Extension host agent started|\[.*\]\[.{8}\]\[(ManagementConnection|ExtensionHostConnection)\])/,
  /^\s*requireStack: \[/,
  /^Web UI available at|^\[reconnection-grace-time\]|^File not found: .*vsda/,
  /^\[\d\d:\d\d:\d\d\] (Started|Completed) initializing default profile extensions/,
  /AgentHostChannel|ServerAgentHostManager|^\[IPC Library: Agent Host\]/,
  /open-vsx\.org/,
  /DeprecationWarning|ExperimentalWarning|Use `node --trace-/,
];

/** Whether a line the server wrote is one of the known complaints. */
export function isServerNoise(line: string): boolean {
  return noise.some((pattern) => pattern.test(line));
}

/** What the workbench writes for the same reasons, or because nobody is signed in to anything. */
const windowNoise = [
  /Could not locate the bindings file|Error: Cannot find module '\.\/build|^- .*\.js$|^Require stack:/,
  /\[(AgentHost|AgentHost:remote|ChatModelSelection|AccountPolicyGate|RemoteAgentHostProtocol)\]/,
  /allow-scripts and allow-same-origin|same-origin iframe|Service Worker|when fetching the script/,
  /Failed to load resource|connection token|Creating a socket|grace time|not contained in a form/,
];

/** Whether a console line of the window is one of the known complaints. */
export function isWindowNoise(line: string): boolean {
  return isServerNoise(line) || windowNoise.some((pattern) => pattern.test(line));
}
