import { Page } from '../../parts/Page.tsx'

export default function Overview() {
  return <Page title="Overview">…</Page>
}
