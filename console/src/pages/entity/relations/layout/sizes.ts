/** Lengths of the drawing, in its units; one is a pixel where nothing is zoomed. */

/** Half of the width of a mark, and of the largest form of it with the line around. */
export const MARK = 11
export const REACH = 16
/** Between a mark and its label. */
export const GAP = 6
/** From one row to the next: more than a mark is high. */
export const ROW = 34
/** Of the text of labels. */
export const LABEL_SIZE = 13
export const LABEL_HEIGHT = LABEL_SIZE + 5
