import { isHandled } from '../../../../../schemas/casework/triage.ts'
import type { paths } from '../../../api/schema.d.ts'
import { formatReputation, reputationLabel } from '../../../parts/entity/scores.ts'
import type { Item } from '../feed.ts'

export type TriageState =
  paths['/api/casework/v1/triage/states']['post']['responses'][200]['content']['application/json']['items'][number]
export type TriagePerson = NonNullable<TriageState['assignee']>
export type TriageChange = Omit<
  NonNullable<paths['/api/casework/v1/triage']['post']['requestBody']>['content']['application/json'],
  'entities'
>
export type States = ReadonlyMap<string, TriageState>

export const WORK = ['open', 'mine', 'handled', 'all'] as const
export type Work = (typeof WORK)[number]

export const WORK_WORDS: Readonly<Record<Work, string>> = {
  open: 'Open',
  mine: 'Assigned to me',
  handled: 'Handled',
  all: 'All',
}

/** Handled, and no worse since. */
export const isDone = (item: Item, state: TriageState | undefined): boolean =>
  state !== undefined && isHandled(asHandled(state), item.reputation)

const asHandled = ({ handled }: TriageState) => ({
  handled: handled && { at: Date.parse(handled.at), by: handled.by.userID, reputation: handled.reputation },
})

/** Whether the entity belongs to this part of the work. @param me id of the caller */
export function belongs(item: Item, state: TriageState | undefined, work: Work, me: string | undefined): boolean {
  if (work === 'all') return true
  const done = isDone(item, state)
  if (work === 'handled') return done
  return !done && (work === 'open' || (me !== undefined && state?.assignee?.userID === me))
}

/** `3 open, 1 assigned to you, 2 handled`, of the entities that the filters leave. */
export function countText(items: readonly Item[], states: States, me: string | undefined): string {
  const count = (work: Work) => items.filter((item) => belongs(item, states.get(item.id), work, me)).length
  return `${count('open')} open, ${count('mine')} assigned to you, ${count('handled')} handled`
}

/** @param me id of the caller */
export const personText = ({ userID, name }: TriagePerson, me: string | undefined): string =>
  userID === me ? 'you' : (name ?? 'a member without a name')

/** What is noted of an entity, in short words; none where nothing is. */
export function stateTexts(item: Item, state: TriageState | undefined, me: string | undefined): string[] {
  if (state === undefined) return []
  const { handled, assignee, note } = state
  const word = (reputation: number) => `${reputationLabel(reputation)} ${formatReputation(reputation)}`
  const texts: string[] = []
  if (handled !== null)
    texts.push(
      isDone(item, state)
        ? `handled by ${personText(handled.by, me)}`
        : `worse since ${personText(handled.by, me)} handled it: ${word(handled.reputation)} → ${word(item.reputation)}`,
    )
  if (assignee !== null) texts.push(`assigned to ${personText(assignee, me)}`)
  if (note !== '') texts.push(`note: ${note.length > 80 ? `${note.slice(0, 79)}…` : note}`)
  return texts
}
