// undici's type declarations cover the whole package only; the part alone loads in a third of the time.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export = Agent;
}
