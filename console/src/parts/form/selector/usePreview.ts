import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { milliseconds } from '../../../../../schemas/intelligence/selectors/duration.ts'
import { api } from '../../../api/client.ts'
import { Problem } from '../../../api/problem.ts'
import type { Selector } from './selector-form.ts'

const TYPING_MS = 400
const SHOWN = 10

type Asked = { selector: Selector; groups?: string[]; limit: number }

/** The platform says of this field which pattern it has; people want words. */
function ageFault({ seenWithin }: Selector): Problem | null {
  if (seenWithin === undefined || milliseconds(seenWithin) !== null) return null
  const message = 'must be a number of hours or days from 1h to 3650d, such as 24h or 7d'
  return new Problem(message, { status: 400, param: 'selector.seenWithin' })
}

/**
 * What a selector chooses now for a reader in all of these groups; empty: in all of the caller's. `fault`: what is wrong
 * with it.
 */
export function usePreview(selector: Selector, groups: readonly string[]) {
  const asked: Asked = { selector, limit: SHOWN, ...(groups.length === 0 ? {} : { groups: [...groups] }) }
  // Text: an object would be another one each time that the form is drawn, and never settle.
  const [settled] = useDebouncedValue(JSON.stringify(asked), TYPING_MS)
  const body = JSON.parse(settled) as Asked
  const wrong = ageFault(body.selector)
  const query = api.useQuery(
    'post',
    '/api/search/v1/entities/selector',
    { body },
    { placeholderData: keepPreviousData, retry: false, enabled: wrong === null },
  )
  return { query, fault: wrong ?? query.error }
}
