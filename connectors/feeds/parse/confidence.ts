/** Lower ends of the steps and the share of the feed's trust that a claim of that step has, the surest first. */
const STEPS = [
  { from: 70, weight: 1 },
  { from: 30, weight: 0.8 },
  { from: 1, weight: 0.5 },
] as const

/**
 * The share of its feed's trust that a claim has by the confidence of its producer, 0..100, in the steps of the STIX
 * scale: high (70 to 100, told as 85) all of it, medium (30 to 69, told as 50) 0.8, low (1 to 29, told as 15) 0.5. 0 is
 * no confidence at all: no claim (decisions 15.3; ADR 166).
 */
export const weightOfConfidence = (confidence: number): number =>
  STEPS.find(({ from }) => confidence >= from)?.weight ?? 0
