import { Page } from '../../parts/Page.tsx'

export default function Operations() {
  return <Page title="Operations">…</Page>
}
