import { Page } from '../../parts/Page.tsx'

export default function Scans() {
  return <Page title="Scans">…</Page>
}
