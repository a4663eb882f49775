import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { clickhouse } from '../../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../../connectors/history/engine/supervisor.ts'
import { string, table, uint64 } from '../../../../connectors/history/native/native.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { ask, embedded, newFolder } from '../../../builders/history/stores.ts'
import { during } from '../../../builders/suite/during.ts'

const OWNER = fileURLToPath(new URL('./children/owner.ts', import.meta.url))

/** A process that nobody has waited for yet is still listed, as a zombie. */
const alive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe('the embedded engine over HTTP', () => {
  const store = during(embedded)

  test.each([
    ["SELECT * FROM file('/etc/hostname', LineAsString)"],
    ["SELECT * FROM `FILE` /* x */ ('/etc/hostname', LineAsString)"],
    ["SELECT file('/etc/hostname')"],
    ["SELECT arrayMap(file, ['/etc/hostname'])"],
    ["SELECT arrayMap((`file`), ['/etc/hostname'])"],
    ["SELECT * APPLY(file) FROM (SELECT '/etc/hostname')"],
    ["SELECT * APPLY file FROM (SELECT '/etc/hostname')"],
    ["SELECT 1 // '\n, file('/etc/hostname') //'"],
    ["SELECT 1 // '\nINTO OUTFILE '/tmp/harrier-hostile-out' //'"],
    ["INSERT INTO t FROM // '\nINFILE '/etc/hostname' // '\nFORMAT LineAsString"],
    ["SELECT 1 AS x SETTINGS additional_result_filter = 'file(''/etc/hostname'') = 1'"],
    ["SELECT 1 FORMAT Template SETTINGS format_template_resultset = '/etc/hostname'"],
    ["SELECT * FROM url('http://127.0.0.1:1/', LineAsString)"],
    ["SELECT * FROM s3('http://127.0.0.1:1/b/k')"],
    ["SELECT * FROM remote('127.0.0.1', system.one)"],
    ["SELECT * FROM icebergLocal('/etc')"],
    ["INSERT INTO FUNCTION file('/tmp/x.csv') SELECT 1"],
    ["INSERT INTO FUNCTION file('/tmp/x.csv') FORMAT CSV"],
    ["SELECT 1 INTO OUTFILE '/tmp/x.csv'"],
    ["INSERT INTO t FROM INFILE '/etc/hostname' FORMAT LineAsString"],
    [
      "CREATE TABLE x (a String) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = local_blob_storage, path = '/tmp/x/')",
    ],
    ["ALTER TABLE x MODIFY SETTING disk = `Disk`(type = web, endpoint = 'http://127.0.0.1:1/')"],
    ['INSERT INTO t SETTINGS input_format_values_interpret_expressions = 1 VALUES (1)'],
    ['INSERT INTO t SETTINGS input_format_values_deduce_templates_of_expressions VALUES (1)'],
    ["CREATE TABLE x (a String) ENGINE = File(LineAsString, '/etc/hostname')"],
    ["CREATE DATABASE x ENGINE Filesystem('/etc')"],
    ["CREATE DICTIONARY d (a UInt8) PRIMARY KEY a SOURCE(FILE(path '/etc/hostname')) LAYOUT(FLAT())"],
    ["ATTACH TABLE x FROM '/etc' (a UInt8) ENGINE = MergeTree ORDER BY a"],
    ["BACKUP TABLE system.one TO File('/tmp/x')"],
    ['SELECT * FROM default.`/etc/hostname`'],
    ['SYSTEM SHUTDOWN'],
    ['SYSTEM SUSPEND FOR 1000 SECOND'],
    ['SYSTEM ENABLE FAILPOINT x'],
    ["KILL QUERY WHERE query_id = 'x' SYNC"],
  ])('refuses what reaches outside of its folder: %s', async (sql) => {
    expect(await ask(store.access, {}, sql)).toMatchObject({ status: 403, code: '497' })
  })

  test.each([
    ['dialect', 'kusto'],
    ['implicit_select', '1'],
    ['additional_result_filter', "file('/etc/hostname') = 1"],
    ['additional_table_filters', "{'system.one':'file(1)'}"],
    ['format_template_resultset', '/etc/hostname'],
    ['format_schema', '/etc/hostname:X'],
    ['format_avro_schema_registry_url', 'http://127.0.0.1:1/'],
    ['input_format_record_errors_file_path', '/tmp/x'],
    ['input_format_values_interpret_expressions', '1'],
  ])('refuses the setting %s of a request', async (name, value) => {
    expect(await ask(store.access, { [name]: value }, 'SELECT 1')).toMatchObject({ status: 403, code: '497' })
  })

  test.each([
    ["SELECT 1 // '\n; SELECT 2 //'", ''],
    ["SELECT 1 // '", "; SELECT 2 // '"],
    ["INSERT INTO x SELECT 1 // '", "; SELECT 2 // '"],
  ])('runs no second statement behind a comment: %j and %j', async (query, body) => {
    expect(await ask(store.access, { query }, body)).toMatchObject({ status: 400, code: '62' })
    const form = new FormData()
    form.append('query', query)
    form.append('query', `\n${body}`)
    const headers = { 'x-clickhouse-user': store.access.username, 'x-clickhouse-key': store.access.password }
    expect((await fetch(store.access.url, { method: 'POST', headers, body: form })).status).toBe(400)
  })

  test('data of an INSERT hold values, and no expression that reads a file', async () => {
    const words = { database: 'values_only' }
    await ask(store.access, {}, 'CREATE DATABASE values_only ENGINE = Atomic')
    await ask(store.access, words, 'CREATE TABLE t (a String, n Int8, l Array(String)) ENGINE = Memory')
    const plain = "INSERT INTO t VALUES ('it''s', -7, ['a', 'b']), ('x', DEFAULT, [])"
    expect(await ask(store.access, words, plain)).toMatchObject({ status: 200 })
    for (const value of ["file('/etc/hostname')", "concat('a', file('/etc/hostname'))", '(SELECT version())']) {
      const [sql, data] = ['INSERT INTO t VALUES', `(${value}, 1, [])`]
      expect(await ask(store.access, words, `${sql} ${data}`)).toMatchObject({ status: 500, code: '344' })
      expect(await ask(store.access, { ...words, query: sql }, data)).toMatchObject({ status: 500, code: '344' })
      const named = await ask(store.access, words, `INSERT INTO t FORMAT Values ('x', 1, [${value}])`)
      expect(named).toMatchObject({ status: 500 })
    }
    expect(await ask(store.access, words, 'SELECT a FROM t ORDER BY a')).toMatchObject({ text: "it\\'s\nx\n" })
  })

  test('no bound identifier and no literal is a file', async () => {
    for (const name of ['file', 'FILE', ' file ', 'catboostEvaluate']) {
      const sql = "SELECT arrayMap({f:Identifier}, ['/etc/hostname'])"
      expect(await ask(store.access, { param_f: name }, sql)).toMatchObject({ status: 403, code: '497' })
    }
    const params = { param_d: 'default', param_t: '/etc/hostname' }
    const bound = await ask(store.access, params, 'SELECT * FROM {d:Identifier}.{t:Identifier}')
    expect(bound).toMatchObject({ status: 403, code: '497' })
    const escaped = { param_d: 'd\\x65fault', param_t: '\\x2fetc\\x2fhostname' }
    const hidden = await ask(store.access, escaped, 'SELECT * FROM {d: /* x */ Identifier}.{t:Identifier}')
    expect(hidden).toMatchObject({ status: 403, code: '497' })
    for (const sql of ["SELECT * FROM '/etc/hostname'", 'SELECT * FROM `/etc/hostname`'])
      expect(await ask(store.access, { database: 'default' }, sql)).toMatchObject({ status: 404, code: '60' })
  })

  test('words in literals, comments and names of columns are no such thing', async () => {
    const sql = "SELECT 'file(' AS engine, `x;y` /* url( ; */ FROM (SELECT 1 AS `x;y`) -- ; remote("
    expect(await ask(store.access, {}, sql)).toMatchObject({ status: 200, text: 'file(\t1\n' })
    expect(await ask(store.access, {}, 'SELECT engine FROM system.tables LIMIT 0;')).toMatchObject({ status: 200 })
  })

  test('speaks the protocol: ping, Basic, gzip both ways, the query in URL, body or both', async () => {
    const { url, username, password } = store.access
    expect(await (await fetch(`${url}/ping`)).text()).toBe('Ok.\n')
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const get = await fetch(`${url}/?query=SELECT%201&default_format=JSONEachRow`, {
      headers: { authorization: basic },
    })
    expect([await get.text(), get.headers.get('x-clickhouse-format')]).toEqual(['{"1":1}\n', 'JSONEachRow'])
    const zipped = new Uint8Array(gzipSync('+ 1'))
    const both = await ask(store.access, { query: 'SELECT 1' }, zipped, { 'content-encoding': 'gzip' })
    expect(both.text).toBe('2\n')
    const small = await fetch(
      `${url}/?query=SELECT%201&enable_http_compression=1&user=${username}&password=${password}`,
      {
        headers: { 'accept-encoding': 'gzip' },
      },
    )
    expect(small.headers.get('content-encoding')).toBe('gzip')
    expect(await small.text()).toBe('1\n')
  })

  test('names what it does not offer', async () => {
    expect((await ask(store.access, { compress: '1' }, 'SELECT 1')).text).toContain('lz4')
    expect((await ask(store.access, {}, 'x', { 'content-encoding': 'br' })).text).toContain("'br'")
    expect((await ask(store.access, {}, ' -- nothing')).text).toContain('Empty query')
    expect((await ask(store.access, { database: 'nowhere' }, 'SELECT 1')).status).toBe(404)
  })

  test('heavy reads do not keep inserts waiting', async () => {
    const { history } = await store.fresh()
    await history.command('CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a')
    const stop = new AbortController()
    const heavy = Array.from({ length: 12 }, () =>
      history.query(
        { sql: 'SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_block_size = 1', params: {} },
        stop.signal,
      ),
    )
    const settled = Promise.allSettled(heavy)
    const rows = table({ a: uint64 })
    rows.add({ a: 1 })
    const from = performance.now()
    await history.insert('t', rows.finish(), 'now')
    expect(performance.now() - from).toBeLessThan(1000)
    stop.abort()
    await settled
  })
})

describe('the life of the embedded engine', () => {
  test('acknowledged inserts and their tokens survive kill -9, and clients go on without help', async () => {
    const dataDir = newFolder()
    const ends: boolean[] = []
    const engine = await startEngine({ dataDir, onExit: ({ restarted }) => ends.push(restarted) })
    const history: History = clickhouse({
      url: engine.url,
      username: engine.username,
      password: engine.password,
      database: 'k',
    })
    await history.command('CREATE DATABASE k ENGINE = Atomic')
    const once = 'non_replicated_deduplication_window = 1000, fsync_after_insert = 1'
    await history.command(`CREATE TABLE t (batch UInt64, w String) ENGINE = MergeTree ORDER BY batch SETTINGS ${once}`)
    const block = (batch: number) => {
      const rows = table({ batch: uint64, w: string })
      for (let i = 0; i < 500; i++) rows.add({ batch, w: `word ${i}` })
      return rows.finish()
    }
    let acknowledged = 0
    for (let round = 0; round < 3; round++) {
      const pid = engine.pid
      const kill = setTimeout(() => process.kill(pid, 'SIGKILL'), 150 + 70 * round)
      while (engine.pid === pid) await history.insert('t', block(acknowledged), `batch ${acknowledged++}`)
      clearTimeout(kill)
      // Everything again, as after a crash of the writer: the tokens are remembered.
      for (let batch = Math.max(0, acknowledged - 5); batch < acknowledged; batch++)
        await history.insert('t', block(batch), `batch ${batch}`)
    }
    const sql = 'SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(batch)) AS batches FROM t'
    expect(await history.query({ sql, params: {} })).toEqual([{ rows: acknowledged * 500, batches: acknowledged }])
    expect(ends).toEqual([true, true, true])
    await history.close()
    await engine.stop()
    rmSync(dataDir, { recursive: true })
  })

  test('a folder that is in use is refused with its name and the pid that has it', async () => {
    const dataDir = newFolder()
    const engine = await startEngine({ dataDir })
    const second = startEngine({ dataDir, patienceMs: 0 })
    await expect(second).rejects.toThrow(`cannot open ${dataDir}: process ${engine.pid} has it open`)
    await engine.stop()
    const third = await startEngine({ dataDir })
    await third.stop()
    rmSync(dataDir, { recursive: true })
  })

  test('a folder that cannot be made is refused with the reason', async () => {
    const dataDir = join(OWNER, 'data')
    await expect(startEngine({ dataDir, patienceMs: 0 })).rejects.toThrow(`cannot open ${dataDir}: Error: ENOTDIR`)
  })

  test('of engines that want one port at one moment all start, and a restart keeps the port that each has', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    probe.close()
    await once(probe, 'close')
    const folders = [newFolder(), newFolder(), newFolder()]
    const instead: number[] = []
    const ends: boolean[] = []
    const options = {
      port,
      onPortTaken: (another: number) => void instead.push(another),
      onExit: ({ restarted }: { restarted: boolean }) => void ends.push(restarted),
    }
    const engines = await Promise.all(folders.map((dataDir) => startEngine({ ...options, dataDir })))
    const ports = engines.map(({ url }) => Number(new URL(url).port))
    expect(ports.filter((of) => of === port).length).toBe(1)
    expect([...instead].sort()).toEqual(ports.filter((of) => of !== port).sort())
    for (const { pid } of engines) process.kill(pid, 'SIGKILL')
    await expect.poll(() => ends, { timeout: 30_000 }).toEqual([true, true, true])
    for (const { url, username, password } of engines)
      expect((await ask({ url, username, password }, {}, 'SELECT 1')).text).toBe('1\n')
    expect(instead.length).toBe(2)
    for (const engine of engines) await engine.stop()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  test('a port that another program has ends a start that is not to take another one', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await expect(startEngine({ dataDir: newFolder(), port, patienceMs: 0 })).rejects.toThrow('EADDRINUSE')
    taken.close()
  })

  test('the engine dies with its parent, and the folder is free at once', async () => {
    const dataDir = newFolder()
    const parent = spawn(process.execPath, [OWNER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    expect(alive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    const engine = await startEngine({ dataDir })
    await expect.poll(() => alive(pid)).toBe(false)
    await engine.stop()
    rmSync(dataDir, { recursive: true })
  })

  test('stop ends within seconds, even while a query runs', async () => {
    const dataDir = newFolder()
    const engine = await startEngine({ dataDir })
    const access = { url: engine.url, username: engine.username, password: engine.password }
    const running = ask(access, {}, 'SELECT sum(cityHash64(number)) FROM numbers(1000000000000)').catch(() => 'cut')
    const runs = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT sum(cityHash64%'"
    await expect.poll(async () => (await ask(access, {}, runs)).text, { timeout: 10_000 }).toBe('1\n')
    const from = performance.now()
    await engine.stop()
    expect(performance.now() - from).toBeLessThan(6000)
    expect(await running).toBe('cut')
    expect(alive(engine.pid)).toBe(false)
    rmSync(dataDir, { recursive: true })
  })
})
