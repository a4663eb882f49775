import { Page } from '../../parts/Page.tsx'

export default function Triage() {
  return <Page title="Triage">…</Page>
}
