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

/** What a dashboard does over JDBC: finds tables and columns, asks with parameters, reads every view. One line a finding. */
public final class Client {
  public static void main(String[] args) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", args[1]);
    properties.setProperty("password", args[2]);
    try (Connection connection = DriverManager.getConnection(args[0], properties)) {
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
      try (Statement asked = connection.createStatement()) {
        asked.executeQuery("SELECT * FROM harrier.entities").close();
        System.out.println("a table was readable");
      } catch (SQLException refused) {
        System.out.println("refused " + refused.getMessage().contains("UNKNOWN_TABLE"));
      }
    }
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
