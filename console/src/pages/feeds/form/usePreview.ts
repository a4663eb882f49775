import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import type { Selector } from './selector-form.ts'

const TYPING_MS = 400
const SHOWN = 10

type Asked = { selector: Selector; groups?: string[]; limit: number }

/** What a selector chooses now for a reader in all of these groups; empty: in all of the caller's. */
export function usePreview(selector: Selector, groups: readonly string[]) {
  const asked: Asked = { selector, limit: SHOWN, ...(groups.length === 0 ? {} : { groups: [...groups] }) }
  // Text: an object would be another one each time that the form is drawn, and never settle.
  const [settled] = useDebouncedValue(JSON.stringify(asked), TYPING_MS)
  return api.useQuery(
    'post',
    '/api/search/v1/entities/selector',
    { body: JSON.parse(settled) as Asked },
    { placeholderData: keepPreviousData, retry: false },
  )
}
