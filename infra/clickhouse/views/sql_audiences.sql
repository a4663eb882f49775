-- The groups behind each audience, for the views of SQL users on a server (connectors/history/sql-users/server.ts). No SQL
-- user reads it: it names groups that share an audience with one's own.
CREATE OR REPLACE VIEW $view(sql_audiences) AS
SELECT DISTINCT audience, groups FROM $of(audiences);
