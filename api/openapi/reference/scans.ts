import type { References } from './reference.ts'

const ingest = '/api/ingest/v1'

/** Operations of scans. */
export const scansReference: References = {
  [`post ${ingest}/scan`]: {
    id: 'startScan',
    body: {
      target: 'www.example.com',
      webhook: { url: 'https://hooks.example.com/scans', headers: [{ key: 'x-ticket', value: 'SOC-4711' }] },
    },
  },
  [`get ${ingest}/scans`]: { id: 'listScans' },
  [`get ${ingest}/scan/{id}`]: { id: 'getScan', codes: ['not_found'] },
  [`get ${ingest}/admin/scans`]: { id: 'listAllScans' },
  [`get ${ingest}/admin/scans/{id}`]: { id: 'getAnyScan', codes: ['not_found'] },
  [`post ${ingest}/admin/scans/{id}/retry`]: { id: 'retryScan', codes: ['not_found', 'conflict'] },
}
