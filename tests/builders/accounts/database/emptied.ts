/** A database as it was before a test: its rows go, its schema has to be the same. */

import type { PGlite } from '@electric-sql/pglite'

/** The tables of the migrations. */
const TABLES = `SELECT oid, relname FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'kysely%'`

/** Everything that a migration can make, as one text. */
const SCHEMA = `SELECT md5(concat(
  (SELECT string_agg(concat(relname, relkind, relchecks, reltriggers), ',' ORDER BY relname)
    FROM (SELECT *, (SELECT count(*) FROM pg_trigger WHERE tgrelid = c.oid AND tgenabled = 'O') AS reltriggers
      FROM pg_class c WHERE relnamespace = 'public'::regnamespace) AS c),
  (SELECT string_agg(concat(attrelid::regclass, attname, atttypid, attnotnull), ',' ORDER BY attrelid::regclass::text, attnum)
    FROM pg_attribute WHERE NOT attisdropped AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)),
  (SELECT string_agg(concat(proname, prosrc), ',' ORDER BY proname) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace),
  (SELECT string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace WHERE nspname NOT LIKE 'pg_temp%')
)) AS schema`

/** Sets the rows aside that the migrations made, and what the schema is. */
export async function keepRows(pglite: PGlite): Promise<void> {
  await pglite.exec(`CREATE SCHEMA kept;
    DO $$ DECLARE t record; any_row boolean; BEGIN
      FOR t IN ${TABLES} LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', t.relname) INTO any_row;
        IF any_row THEN EXECUTE format('CREATE TABLE kept.%I AS TABLE public.%I', t.relname, t.relname); END IF;
      END LOOP;
    END $$;
    CREATE TABLE kept."the schema" (was text);`)
  await pglite.exec(`INSERT INTO kept."the schema" ${SCHEMA}`)
}

/**
 * A table of few pages is emptied without new files for it; what that leaves behind goes once there is much of it.
 * Nothing in it fires: the rows of the migrations are back as they were.
 */
const EMPTY = `DO $$ DECLARE t record; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR t IN ${TABLES} AND pg_relation_size(oid) > 0 LOOP
      IF pg_relation_size(t.oid) > 65536 THEN EXECUTE format('TRUNCATE public.%I CASCADE', t.relname);
      ELSE EXECUTE format('DELETE FROM public.%I', t.relname); END IF;
    END LOOP;
    FOR t IN SELECT relname FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'kept'::regnamespace AND relname <> 'the schema' LOOP
      EXECUTE format('INSERT INTO public.%I SELECT * FROM kept.%I', t.relname, t.relname);
    END LOOP;
    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
  END $$`

/** Empties a database that has no session. Resolves with whether it is as it was; a changed schema cannot be undone. */
export async function emptied(pglite: PGlite): Promise<boolean> {
  await pglite.exec('ROLLBACK')
  await pglite.exec('DISCARD ALL')
  const { rows } = await pglite.query<{ same: boolean }>(
    `SELECT now.schema = kept.was AS same FROM (${SCHEMA}) AS now, kept."the schema" AS kept`,
  )
  if (rows[0]?.same !== true) return false
  await pglite.exec(EMPTY)
  return true
}
