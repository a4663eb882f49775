import com.clickhouse.client.api.metadata.TableSchema;
import com.clickhouse.data.ClickHouseColumn;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What a dashboard does over JDBC: finds tables and columns, asks with parameters, reads every view; and what the
 * client beneath the driver asks of a table. One line a finding.
 */
public final class Client {
  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", args[1]);
    properties.setProperty("password", args[2]);
    try (Connection connection = DriverManager.getConnection(args[0] + "?compress=false", properties)) {
      DatabaseMetaData about = connection.getMetaData();
      System.out.println("product " + about.getDatabaseProductName());
      List<String> tables = names(about.getTables(null, "harrier", "%", new String[] {"VIEW"}), "TABLE_NAME");
      System.out.println("tables " + String.join(",", tables));
      System.out.println("schemas " + String.join(",", names(about.getSchemas(), "TABLE_SCHEM")));
      System.out.println("columns " + String.join(",", names(about.getColumns(null, "harrier", "bi_asn", "%"), "COLUMN_NAME")));
      for (String table : tables) System.out.println("rows " + table + " " + read(connection, table));
      try (PreparedStatement asked =
          connection.prepareStatement("SELECT count(), min(first_seen) FROM bi_entities WHERE type = ? AND reputation < ?")) {
        asked.setString(1, "ip");
        asked.setInt(2, 0);
        try (ResultSet found = asked.executeQuery()) {
          found.next();
          System.out.println("prepared " + found.getLong(1) + " " + (found.getTimestamp(2) != null));
        }
      }
      // Of what there is none: a tool that browses asks for all of it.
      for (ResultSet none :
          new ResultSet[] {
            about.getIndexInfo(null, "harrier", "bi_asn", false, false),
            about.getPrimaryKeys(null, "harrier", "bi_asn"),
            about.getImportedKeys(null, "harrier", "bi_asn"),
            about.getProcedures(null, "harrier", "%"),
            about.getUDTs(null, "harrier", "%", null)
          })
        if (none.next()) System.out.println("a key, an index or a procedure");
      for (ResultSet some : new ResultSet[] {about.getTypeInfo(), about.getTableTypes(), about.getFunctions(null, null, "%")})
        if (!some.next()) System.out.println("no types or functions");
      for (String sql :
          new String[] {
            "EXPLAIN SELECT * FROM bi_asn", "SHOW CREATE TABLE harrier.bi_asn", "DESCRIBE (SELECT 1 AS a)",
            "SHOW TABLES LIKE 'bi_asn'", "SELECT 1 AS format, 2 AS settings"
          })
        try (Statement asked = connection.createStatement();
            ResultSet found = asked.executeQuery(sql)) {
          if (!found.next()) System.out.println("nothing for " + sql);
        }
      try (Statement asked = connection.createStatement()) {
        asked.execute("SET max_execution_time = 10");
        asked.setQueryTimeout(5);
        asked.executeQuery("SELECT 1").close();
      }
      try (Statement asked = connection.createStatement()) {
        asked.executeQuery("SELECT * FROM harrier.entities").close();
        System.out.println("a table was readable");
      } catch (SQLException refused) {
        System.out.println("refused " + refused.getMessage().contains("UNKNOWN_TABLE"));
      }
    }
    try (com.clickhouse.client.api.Client client =
        new com.clickhouse.client.api.Client.Builder()
            .addEndpoint(args[0].replaceAll("^jdbc:clickhouse", "http").replaceAll("/harrier$", ""))
            .setUsername(args[1])
            .setPassword(args[2])
            .setDefaultDatabase("harrier")
            .compressServerResponse(false)
            .build()) {
      System.out.println("schema " + columns(client.getTableSchema("bi_asn")));
      System.out.println("schema " + columns(client.getTableSchemaFromQuery("SELECT asn, aso FROM bi_asn")));
    }
    // Its own compression is LZ4 in frames of the native protocol, which the message says how to do without.
    try (Connection connection = DriverManager.getConnection(args[0], properties);
        Statement asked = connection.createStatement()) {
      asked.executeQuery("SELECT 1").close();
      System.out.println("LZ4 was answered");
    } catch (SQLException refused) {
      System.out.println("compressed " + refused.getMessage().contains("lz4"));
    }
  }

  private static String columns(TableSchema schema) {
    List<String> names = new ArrayList<>();
    for (ClickHouseColumn column : schema.getColumns()) names.add(column.getColumnName());
    return String.join(",", names);
  }

  private static List<String> names(ResultSet found, String column) throws SQLException {
    List<String> names = new ArrayList<>();
    try (found) {
      while (found.next()) names.add(found.getString(column));
    }
    return names;
  }

  /** Every value of every row, as text, so that each type is met. */
  private static long read(Connection connection, String table) throws SQLException {
    long rows = 0;
    try (Statement asked = connection.createStatement();
        ResultSet found = asked.executeQuery("SELECT * FROM " + table)) {
      ResultSetMetaData columns = found.getMetaData();
      for (; found.next(); rows++)
        for (int i = 1; i <= columns.getColumnCount(); i++) found.getString(i);
    }
    return rows;
  }
}
