/**
 * Folders that may have more than `MOST` entries. Everywhere else a folder with more is several folders: it holds more
 * than one idea.
 */

/** Entries of a folder. */
export const MOST = 15

/** Names of files that stand in every area. Any other stands twice at most: a file is found by its name. */
export const NAMES: readonly string[] = ['area.ts', 'port.ts', 'ports.ts', 'register.ts', 'index.ts']

/** Lists of like things, each with what one entry is. */
export const LISTS: Readonly<Record<string, string>> = {
  '.': 'a room, or a file that a tool expects at the root',
  'api/http': 'an entry is a part of how every request is served',
  'cli/commands': 'a folder is a group of commands',
  'cli/wiring/open': 'a file opens the connectors of one kind',
  connectors: 'a folder is an outside thing',
  'connectors/history': 'a folder has the tables of one area, or a part of the store',
  'connectors/history/sql/queries': 'a file has the queries of one kind of question',
  'connectors/postgres/migrations': 'a file is a migration',
  'docs/contribute/adr': 'a page is a decision',
  'docs/contribute/adr/archive': 'a page is a former decision',
  'docs/contribute': 'a page is a change to make',
  'docs/integrate': 'a page is a task',
  'docs/operate': 'a page is a part of an installation, or a task',
  'docs/operate/runbooks': 'a page is an alert or a procedure',
  'infra/clickhouse/migrations': 'a file is a migration',
  'tests/builders': 'a folder makes what tests of one area need',
  'tests/contract': 'a folder is a contract',
  'tests/unit': 'a folder has the tests of a room',
  'tests/unit/api': 'an entry is an area, or what holds of every route',
  'tests/unit/api/http': 'an entry is a part of how every request is served',
  'tests/unit/cli/commands': 'an entry is a group of commands, or one of its own',
  'tests/unit/connectors': 'a folder is an outside thing',
  'tests/unit/schemas/feeds-out/formats/golden': 'a file is what one format writes',
}
