import { Page } from '../../parts/Page.tsx'

export default function Report() {
  return <Page title="Report">…</Page>
}
