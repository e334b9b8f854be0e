/** Colours of the lines of a block of code, from line `from` on. */
export interface CodeColors {
  /** Another line than asked for: the block must be sent again from there. */
  from: number;
  /**
   * A line is a flat list: length, style, length, style …; style = number of the colour × 16 + font style (1 italic, 2 bold,
   * 4 underlined, 8 struck through). Style 0 is the editor's own foreground; an empty list is a line without colours.
   */
  lines: readonly (readonly number[])[];
  /** CSS colours by number; empty where a number is not used. */
  colors: readonly string[];
}
