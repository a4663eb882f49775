import { api } from '../../../api/client.ts'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { NotAReader } from '../../../parts/match/NotAReader.tsx'
import { isUnreadable } from '../../../parts/match/unreadable.ts'
import { SettingsForm } from './SettingsForm.tsx'

/** `/matches/settings`: what the telemetry of the caller, or of its team, is matched with. */
export default function Settings() {
  // The form begins with what was answered first: it is not asked for again under what somebody types.
  const settings = api.useQuery('get', '/api/match/v1/settings', {}, { refetchOnWindowFocus: false })
  if (isUnreadable(settings.error)) return <NotAReader />
  return <QueryResult of={settings}>{(known) => <SettingsForm settings={known} />}</QueryResult>
}
