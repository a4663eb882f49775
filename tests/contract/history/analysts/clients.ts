import { beforeAll, describe, expect, test } from 'vitest'
import { type AnalystStore, PASSWORD, VIEWS as TABLES } from '../../../builders/analysts/analysts.ts'
import { PREPARED_MS } from '../../../clients/once.ts'
import { jdbc, python } from '../../../clients/prepare.ts'

let store: AnalystStore

/** How many rows each view holds for a user, by the plainest client there is. */
const rowsOf = async (name: string): Promise<Record<string, number>> => {
  const counts = TABLES.map(async (table) => [
    table,
    Number((await store.ask(name, `SELECT count() FROM ${table}`)).text),
  ])
  return Object.fromEntries(await Promise.all(counts))
}

export function clientsOfOthers(opened: () => AnalystStore): void {
  beforeAll(() => {
    store = opened()
  })

  describe('clients that others wrote', () => {
    test(
      'JDBC finds the views and their columns, binds parameters and reads every row',
      async ({ skip }) => {
        const ask = await jdbc().catch((error: Error) => {
          if (process.env.CI !== undefined) throw error
          return skip(`no JDBC client: ${error.message.split('\n')[0]}`)
        })
        const url = `${store.engine.url.replace('http:', 'jdbc:clickhouse:')}/harrier`
        const lines = await ask(url, 'soc', PASSWORD)
        const rows = await rowsOf('soc')
        expect(lines).toEqual([
          'product ClickHouse',
          `tables ${TABLES.join()}`,
          'schemas harrier',
          'columns country,asn,aso,entities,malicious,audience',
          ...TABLES.map((table) => `rows ${table} ${rows[table]}`),
          'prepared 11 true',
          'refused true',
          'schema country,asn,aso,entities,malicious,audience',
          'schema asn,aso',
          'compressed true',
        ])
      },
      PREPARED_MS,
    )

    test(
      'clickhouse-connect finds the views, binds parameters, reads every row and streams; dialects of SQLAlchemy look around',
      async ({ skip }) => {
        const ask = await python().catch((error: Error) => skip(`no Python client: ${error.message.split('\n')[0]}`))
        const { hostname, port } = new URL(store.engine.url)
        const rows = await rowsOf('red')
        const negative = "SELECT count() FROM bi_entities WHERE type = 'ip' AND reputation < 0"
        const bound = Number((await store.ask('red', negative)).text)
        expect(bound).toBeGreaterThan(0)
        const asked = {
          tables: TABLES,
          rows,
          bound,
          limited: rows.bi_entities,
          streamed: rows.bi_history,
          refused: true,
        }
        const around = {
          schemas: ['harrier'],
          tables: TABLES,
          columns: ['country', 'asn', 'aso', 'entities', 'malicious', 'audience'],
          keys: [],
          indexes: [],
          count: rows.bi_asn,
        }
        expect(await ask([hostname, port, 'red', PASSWORD])).toEqual({
          plain: asked,
          compress: asked,
          superset: around,
          sqlalchemy: around,
        })
      },
      PREPARED_MS,
    )
  })
}
