import { Page } from '../../parts/Page.tsx'

export default function Account() {
  return <Page title="Account">…</Page>
}
