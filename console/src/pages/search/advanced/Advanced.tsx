import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import type { Go, SearchAddress } from '../question/address.ts'
import type { Json } from '../question/json.ts'
import { Results } from '../results/Results.tsx'
import { narrow } from './narrow.ts'
import { SearchEditor } from './SearchEditor.tsx'
import { useAdvancedSearch } from './useAdvancedSearch.ts'

/** An advanced search: its editor, and the results of the search in the URL. */
export function Advanced({ address, go }: { address: SearchAddress; go: Go }) {
  const search = useAdvancedSearch(address, go)
  const { body, request, answer } = search
  const add = (...clauses: Json[]) => go({ dsl: JSON.stringify(clauses.reduce(narrow, body ?? {})) })
  return (
    <>
      <SearchEditor search={search} index={address.index} />
      {request !== null && <Results request={request} answer={answer} address={address} go={go} add={add} />}
      {body === null && address.dsl !== null && (
        <Notice title="The address contains no valid search">
          The value of dsl= is not a JSON object. Correct it above and search again.
        </Notice>
      )}
      {address.dsl === null && (
        <EmptyState title="No search yet">
          Search without any condition to see everything, or start with a type, a tag or a date range.
        </EmptyState>
      )}
    </>
  )
}
