/** What must not run, whatever stands before it. */
const HIDDEN = [
  '; SELECT value FROM harrier.entities',
  "; SELECT * FROM merge('harrier', '^entities$')",
  ", * FROM mergeTreeIndex('harrier', 'entities')",
  ', * FROM system.symbols',
  "INTO OUTFILE '/tmp/harrier-hostile-out'",
  'UNION ALL SELECT value FROM merge($a$harrier$a$, $a$^entities$$a$)',
  'SETTINGS additional_table_filters = {}',
]

/** A quote opens in what may be a comment: to a reader who takes it for code, the rest is text. */
const COVERS: readonly ((sql: string) => string)[] = [
  (sql) => `SELECT 1 // '\n${sql} //'`,
  (sql) => `SELECT 1 //'\n${sql} --'`,
  (sql) => `SELECT 1 // "\n${sql} // "`,
  (sql) => `SELECT 1 // \`\n${sql} // \``,
  (sql) => `SELECT 1 -- '\n${sql} -- '`,
  (sql) => `SELECT 1 --'\r\n${sql} --'`,
  (sql) => `SELECT 1 # '\n${sql} # '`,
  (sql) => `SELECT 1 #! '\n${sql} #! '`,
  (sql) => `SELECT 1 #' \n${sql} #'`,
  (sql) => `SELECT 1 /* ' */ ${sql} /* ' */`,
  (sql) => `SELECT 1 /* /* ' */ */ ${sql} /* ' */`,
  (sql) => `SELECT 1 /*/ ' */ ${sql} /*/ ' */`,
  (sql) => `SELECT x'\\' ${sql} // '`,
  (sql) => `SELECT '\\\\' ${sql} // '`,
  (sql) => `SELECT $a$ ' $a$ ${sql} // '`,
  (sql) => `SELECT $ ' $ ${sql} // $ ' $`,
  (sql) => `SELECT 1 AS a$b$ ' ${sql} // $b$ '`,
  (sql) => `SELECT ‘ ' ’ ${sql} // '`,
  (sql) => `SELECT 1 AS “ ' ” ${sql} // '`,
  (sql) => `SELECT 1 \\G ${sql}`,
  (sql) => `SELECT 1 \\N ${sql}`,
  (sql) => `SELECT 1 \u2028${sql}`,
  (sql) => `SELECT 1) ${sql} // '\n(`,
  (sql) => `SELECT (1 ${sql} // )`,
]

/** Statements that hide another one, or a clause, from one of two readers; each is refused. */
export const COVERED: Record<string, readonly string[]> = {
  'behind what only one reader takes for a comment or a text': [
    "SELECT 1 // '\n; SELECT value, audience FROM merge($a$harrier$a$, $a$^entities$$a$) //'",
    ...HIDDEN.flatMap((sql) => COVERS.map((cover) => cover(sql))),
  ],
  'behind numbers': [
    'SELECT 1. SETTINGS additional_table_filters = {}',
    'SELECT 1.SETTINGS max_threads = 1',
    'SELECT 1.FROM harrier.entities',
    'SELECT 1.e5FROM harrier.entities',
    'SELECT 1e5FROM harrier.entities',
    'SELECT 0x1FROM harrier.entities',
    'SELECT 0b1FROM harrier.entities',
    'SELECT .5FROM harrier.entities',
    'SELECT 1_000FROM harrier.entities',
    'SELECT t.1FROM harrier.entities AS t',
    'SELECT 1e-FROM harrier.entities',
    'SELECT 1INTO OUTFILE $a$/tmp/harrier-x$a$',
    'SELECT 1FORMAT Template',
    'SELECT 1;SELECT 2',
    'SELECT 1.;SELECT 2.',
  ],
}
