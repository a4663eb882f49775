import { Page } from '../../parts/Page.tsx'

export default function Entity() {
  return <Page title="Entity">…</Page>
}
