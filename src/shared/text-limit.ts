/**
 * How long a text may be that the panel hands over, in UTF-16 code units. The panel says so before it lets go of a longer
 * one: the host would drop it.
 */
export const maxTextLength = 2_000_000;
