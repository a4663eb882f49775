import { onOnePlatform } from '../../builders/platform/shared.ts'
import { generatedPython, generatedTypeScript } from '../../clients/generated.ts'
import { documented } from './document/document.ts'
import { generatedClients } from './document/generated-clients.ts'

/** As the client of api-document.test.ts, by a generator that is a program of Java. */
onOnePlatform(
  {
    clients: (shared) =>
      generatedClients(shared, {
        'openapi-generator for Python': ['203.0.113.101', generatedPython],
        'openapi-generator for TypeScript': ['203.0.113.102', generatedTypeScript],
      }),
  },
  documented,
)
