import { describe, expect, test } from 'vitest'
import { parse } from '../../../../../connectors/history/engine/statement/statement.ts'

describe('one statement', () => {
  test.each([
    { sql: 'SELECT 1', want: { kind: 'read', sql: 'SELECT 1', format: undefined } },
    { sql: '  (select 1) ; -- done', want: { kind: 'read', sql: '(select 1)' } },
    { sql: "SELECT 1 // '\n, 2 /* ' */, '3' #!x", want: { kind: 'read', sql: "SELECT 1 , 2 , '3'" } },
    { sql: 'SELECT 1 FORMAT JSON;', want: { kind: 'read', sql: 'SELECT 1 FORMAT JSON', format: 'JSON' } },
    { sql: "SELECT ';' /* ; */ # ;\n, $x$;$x$", want: { kind: 'read' } },
    { sql: "SELECT 'it''s; \\'x; ', `a``;b`", want: { kind: 'read' } },
    { sql: 'CREATE TABLE t (a UInt8) ENGINE = ReplacingMergeTree(a) ORDER BY a', want: { kind: 'write' } },
    { sql: 'INSERT INTO t SELECT 1 FORMAT Null', want: { kind: 'write', format: 'Null' } },
    { sql: 'INSERT INTO t WITH 1 AS values SELECT values', want: { kind: 'write' } },
  ])('$sql', ({ sql, want }) => expect(parse(sql)).toMatchObject(want))
})

describe('an INSERT with data ends where its data begin', () => {
  test.each([
    { head: 'INSERT INTO t', word: ' FORMAT Native', data: '\n\x01;', format: 'Native' },
    { head: 'insert into d.t (a, format, values)', word: ' format CSV', data: ' \n1;\n\n2', format: 'CSV' },
    {
      head: 'INSERT INTO `values` SETTINGS async_insert = 0',
      word: ' VALUES',
      data: " (';', 'x'); DROP",
      format: 'Values',
    },
  ])('$head$word', ({ head, word, data, format }) => {
    const found = parse(head + word + data)
    expect(found).toMatchObject({ kind: 'insert', sql: head, format })
    expect((head + word + data).slice(found.dataFrom).trim()).toBe(data.trim())
  })
})

describe('refused', () => {
  test.each([
    { sql: '', code: 62 },
    { sql: ' ; ', code: 62 },
    { sql: '/* only this', code: 62 },
    { sql: 'SELECT 1; SELECT 2', code: 62 },
    { sql: "SELECT 'a\\'; DROP TABLE t; --'; DROP TABLE t", code: 62 },
    { sql: 'INSERT INTO t FORMAT', code: 62 },
    { sql: "SELECT 1 // '\n; SELECT 2 //'", code: 62 },
    { sql: "SELECT 1 // '\n INTO OUTFILE 'x' //'", code: 497 },
    { sql: 'SELECT 1.SETTINGS', code: 62 },
    { sql: 'SELECT 1 “x”', code: 62 },
    { sql: 'GRANT ALL ON *.* TO x', code: 497 },
    { sql: "SELECT * FROM view(SELECT * FROM Url('x'))", code: 497 },
    { sql: "INSERT INTO TABLE FUNCTION s3('x') VALUES (1)", code: 497 },
    { sql: 'CREATE TABLE t (a UInt8) ENGINE ReplicatedMergeTree', code: 497 },
  ])('$sql', ({ sql, code }) => {
    expect(() => parse(sql)).toThrow(expect.objectContaining({ code }))
  })
})
