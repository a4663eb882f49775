/** By accuracy 0 to 3 (decisions 15.3). */
const CONFIDENCE = [0, 15, 50, 85] as const

/** How sure STIX is told to be of a score of this accuracy, 0 to 100. */
export const confidenceOf = (accuracy: number): number => CONFIDENCE[accuracy] ?? 0
