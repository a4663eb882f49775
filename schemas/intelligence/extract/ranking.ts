/** How the answer about many indicators is counted and sorted, wherever it is shown (ADR 268). */

/** What an answer says of an indicator: the best and worst of what is known, or how little is. */
export const ANSWERS = {
  malicious: 'Malicious',
  undecided: 'Undecided',
  benign: 'Benign',
  covered: 'In a known network',
  unknown: 'Unknown',
  unasked: 'Not looked up',
} as const
export type AnswerKind = keyof typeof ANSWERS

/** `reputation`: of the worst entity, null: none is known. `covered`: a network that is known contains it. */
export type Answered = { reputation: number | null; accuracy: number | null; covered: boolean; asked: boolean }

/** A negative reputation is malicious (specification, Reputation). */
export function answerOf({ reputation, covered, asked }: Answered): AnswerKind {
  if (!asked) return 'unasked'
  if (reputation === null) return covered ? 'covered' : 'unknown'
  return reputation < 0 ? 'malicious' : reputation > 0 ? 'benign' : 'undecided'
}

const ORDER = Object.keys(ANSWERS) as AnswerKind[]

/** Worst first, of those of one reputation the most accurate; then what is not known. Equal ones keep their order. */
export const worstFirst = (a: Answered, b: Answered): number =>
  ORDER.indexOf(answerOf(a)) - ORDER.indexOf(answerOf(b)) ||
  (a.reputation ?? 0) - (b.reputation ?? 0) ||
  (b.accuracy ?? 0) - (a.accuracy ?? 0)

/** How many answers of each kind there are, worst kind first; kinds without one are not there. */
export function countAnswers(answers: readonly Answered[]): [kind: AnswerKind, count: number][] {
  const counts = new Map<AnswerKind, number>()
  for (const answer of answers) counts.set(answerOf(answer), (counts.get(answerOf(answer)) ?? 0) + 1)
  return ORDER.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind)!]] : []))
}
