import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { asProblem } from '../../../api/problem.ts'
import type { WrittenSearch } from '../builder/write.ts'
import type { Go, SearchAddress } from '../question/address.ts'
import type { Json } from '../question/json.ts'
import { type SearchAnswer, type SearchRequest, useSearchAnswer } from '../question/request.ts'
import { bodyOf, type Draft, draftOf, switchEditor } from './draft.ts'
import { parseJson } from './json-position.ts'

/** The error of the platform for the body, and the parameter at fault. */
export type Rejection = { param: string; message: string }

export type AdvancedSearch = {
  draft: Draft
  change: (to: Partial<Draft>) => void
  /** The body that the draft stands for; null while its JSON has a fault. */
  written: WrittenSearch | null
  /** The draft is no longer the search of the address. */
  isChanged: boolean
  /** Searches for the draft. */
  submit: () => void
  /** Shows the draft in the other editor, where that can show it. */
  switchEditor: () => void
  /** The part of the JSON that the builder could not show when it was switched to; null: none. */
  notShowable: string | null
  /** The body of the address; null where the address has none that is a JSON object. */
  body: Json | null
  request: SearchRequest | null
  answer: UseQueryResult<SearchAnswer>
  /** Why the search of the URL was refused; null once the draft is another one. */
  rejection: Rejection | null
}

/** The draft of an advanced search, and the search in the URL. */
export function useAdvancedSearch(address: SearchAddress, go: Go): AdvancedSearch {
  const { index, dsl, sort, order, page, limit } = address
  const [draft, setDraft] = useState(() => draftOf(dsl, index))
  const [notShowable, setNotShowable] = useState<string | null>(null)
  // Another address (a link, the way back, a bucket that was chosen) is another draft.
  if (draft.source !== dsl) setDraft(draftOf(dsl, index))
  const change = (to: Partial<Draft>) => {
    setNotShowable(null)
    setDraft((before) => ({ ...before, ...to }))
  }
  const written = useMemo(() => bodyOf(draft, index), [draft, index])
  const body = useMemo(() => jsonObject(dsl), [dsl])
  const after = useMemo(() => (address.after === null ? null : jsonList(address.after)), [address.after])
  const sent = body === null || after === null ? body : { ...body, search_after: after }
  const request: SearchRequest | null =
    sent === null ? null : { index, route: 'advanced', sort, order, page, limit, body: sent, after: address.after }
  const answer = useSearchAnswer(request)

  // The body of the address, as the address has it and as the builder writes it.
  const unchanged = useMemo(
    () => (body === null ? [] : [body, bodyOf(draftOf(dsl, index), index)?.body].map((one) => JSON.stringify(one))),
    [body, dsl, index],
  )
  const isChanged = written !== null && !unchanged.includes(JSON.stringify(written.body))

  const submit = () => {
    if (written === null) return
    if (!isChanged && page === 1 && address.after === null) {
      void answer.refetch()
      return
    }
    const source = JSON.stringify(written.body)
    setDraft((before) => ({ ...before, source }))
    go({ dsl: source })
  }
  const showInOtherEditor = () => {
    const other = switchEditor(draft, index)
    if ('beyond' in other) setNotShowable(other.beyond)
    else change(other)
  }
  return {
    draft,
    change,
    written,
    isChanged,
    submit,
    switchEditor: showInOtherEditor,
    notShowable,
    body,
    request,
    answer,
    rejection: isChanged || !answer.error ? null : rejectionOf(answer.error),
  }
}

/** The row of the builder or the line of the JSON shows where the parameter is, so the message need not repeat it. */
function rejectionOf(error: unknown): Rejection | null {
  const { param, message } = asProblem(error)
  return param === null ? null : { param, message: message.replace(`${param}: `, '') }
}

function jsonObject(text: string | null): Json | null {
  const parsed = text === null ? null : parseJson(text)
  const isObject =
    parsed !== null && 'value' in parsed && typeof parsed.value === 'object' && !Array.isArray(parsed.value)
  return isObject ? (parsed.value as Json | null) : null
}

function jsonList(text: string): unknown[] | null {
  const parsed = parseJson(text)
  return 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : null
}
