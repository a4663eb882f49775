import './shell/mantine.css'
import './shell/console.css'
// First of all: a session may stand in the address.
import './session/sign-on.ts'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { Frame } from './shell/Frame.tsx'
import { Notices } from './shell/Notices.tsx'
import { PageRoutes } from './shell/PageRoutes.tsx'
import { QueryProvider } from './shell/QueryProvider.tsx'
import { theme } from './shell/theme.ts'

/** Of this answer alone: the content security policy takes no other style sheet inside of the page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
// Dialogs insert a style sheet that stops the page behind them from scrolling. It needs the nonce.
Object.assign(globalThis, { __webpack_nonce__: nonce })

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" {...(nonce ? { getStyleNonce: () => nonce } : {})}>
      <Notices />
      <ErrorBoundary>
        <QueryProvider>
          <Frame>
            <PageRoutes />
          </Frame>
        </QueryProvider>
      </ErrorBoundary>
    </MantineProvider>
  </StrictMode>,
)
