import type { References } from './reference.ts'

/** The operation of assistants. */
export const assistantsReference: References = {
  'post /mcp': {
    id: 'answerAssistant',
    codes: ['forbidden', 'not_found', 'not_acceptable'],
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'lookup', arguments: { values: ['203.0.113[.]7'] } },
    },
    answers: {
      200: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          content: [
            {
              type: 'text',
              text: '{"found":0,"missing":1,"results":[],"coveredBy":[],"unrecognised":[],"truncated":false}',
            },
          ],
          structuredContent: {
            found: 0,
            missing: 1,
            results: [],
            coveredBy: [],
            unrecognised: [],
            truncated: false,
          },
          isError: false,
        },
      },
    },
  },
}
