import type { TestBrowser } from '../vscode/browser.ts';
import type { Figure } from './figure.ts';

/** What every part of the bench is given. */
export interface BenchContext {
  seed: number;
  rounds: number;
  /** The window of the extension hosts. */
  browser(): Promise<TestBrowser>;
  progress(text: string): void;
}

export interface Part {
  /** Rows that it measures, as the command line names them. */
  ids: readonly string[];
  /** Measures those of its rows that are wanted. */
  measure(context: BenchContext, wanted: ReadonlySet<string>): Promise<Figure[]>;
}
