import { onOnePlatform } from '../../builders/platform/shared.ts'
import { pythonClient } from '../../clients/generated.ts'
import { badInput } from './document/bad-input.ts'
import { apiDocument, documented } from './document/document.ts'
import { generatedClients } from './document/generated-clients.ts'

onOnePlatform(
  {
    clients: (shared) => generatedClients(shared, { 'openapi-python-client': ['203.0.113.103', pythonClient] }),
    'the document': apiDocument,
    // Ends the platform.
    'bad input': badInput,
  },
  (place) => ({ ...documented(place), HARRIER_DRAIN_MS: '1000', HARRIER_METRICS_PORT: '0' }),
)
