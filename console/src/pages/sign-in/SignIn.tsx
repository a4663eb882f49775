import { Page } from '../../parts/Page.tsx'

export default function SignIn() {
  return <Page title="SignIn">…</Page>
}
