import { Page } from '../../parts/Page.tsx'

export default function Attribution() {
  return <Page title="Attribution">…</Page>
}
