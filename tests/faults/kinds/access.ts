// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is text of the product.
import type { Fault } from '../fault.ts'

/** Somebody learns, reaches or gets what is not for them. */
export const ACCESS: readonly Fault[] = [
  {
    name: 'the relations of an entity are those of every audience',
    file: 'connectors/history/sql/queries/relations-queries.ts',
    text: "AND audience IN {audiences:Array(UInt64)} ${q.types === null ? '' : OF_TYPES}",
    instead: "${q.types === null ? '' : OF_TYPES}",
    test: {
      project: 'platform',
      file: 'tests/e2e/intelligence/audiences.test.ts',
      title: 'every caller is told what it may know',
    },
  },

  {
    name: 'a SQL user reads the rows of every audience',
    file: 'connectors/history/engine/analyst/scope.ts',
    text: '${quoted(database)}.audiences WHERE ${meets}`',
    instead: '${quoted(database)}.audiences`',
    test: {
      project: 'platform',
      file: 'tests/contract/history/analysts.test.ts',
      title: 'is told the very same, whatever it asks',
    },
  },

  {
    name: 'a name with one public address is sent to at any of its addresses',
    file: 'connectors/network/requests/request.ts',
    text: '!addresses.every(isPublicAddress)',
    instead: '!addresses.some(isPublicAddress)',
    test: {
      project: 'unit',
      file: 'tests/unit/connectors/network/requests/request.connect.test.ts',
      title: 'alone or among public addresses, is not connected to',
    },
  },
  {
    name: 'the signature of a webhook does not cover its time',
    file: 'schemas/casework/deliveries/signature.ts',
    text: '.update(`${unix}.`).update(body)',
    instead: '.update(body)',
    test: {
      project: 'platform',
      file: 'tests/contract/database/casework.test.ts',
      title: 'a signature that the documented check accepts',
    },
  },
  {
    name: 'a delivery is tried once more than its schedule says',
    file: 'connectors/postgres/deliveries/begin-delivery.ts',
    text: "'>=', triesOf(queue.kind)",
    instead: "'>', triesOf(queue.kind)",
    test: {
      project: 'platform',
      file: 'tests/contract/database/casework.test.ts',
      title: 'a process that is killed in every try',
    },
  },
  {
    name: 'a storm of alerts becomes a digest one alert late',
    file: 'connectors/postgres/deliveries/begin-delivery.ts',
    text: "state = 'fresh' LIMIT ${PER_MINUTE + 1}",
    instead: "state = 'fresh' LIMIT ${PER_MINUTE}",
    test: {
      project: 'platform',
      file: 'tests/contract/database/casework.test.ts',
      title: 'sixty alerts go one by one',
    },
  },
  {
    name: 'later alerts do not wait behind one that fails',
    file: 'connectors/postgres/deliveries/begin-delivery.ts',
    text: "state = 'trying' AND NOT passed",
    instead: "state = 'trying' AND passed",
    test: {
      project: 'platform',
      file: 'tests/contract/database/casework.test.ts',
      title: 'later alerts wait behind one that fails',
    },
  },
  {
    name: 'clients that read nothing are told late that they lag',
    file: 'api/live/services/following/unread.ts',
    text: 'if (total <= most) break',
    instead: 'if (total - bytes <= most) break',
    test: {
      project: 'unit',
      file: 'tests/unit/api/live/services/following/unread.test.ts',
      title: 'those that stay are within the bound',
    },
  },
]
