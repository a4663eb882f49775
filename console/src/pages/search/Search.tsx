import { Page } from '../../parts/Page.tsx'

export default function Search() {
  return <Page title="Search">…</Page>
}
