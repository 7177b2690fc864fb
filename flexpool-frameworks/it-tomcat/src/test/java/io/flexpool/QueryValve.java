// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/** Answers each request from the database. A valve, because Tomcat 9's servlets are not Tomcat 10's. */
class QueryValve extends ValveBase {
    @Override
    @SuppressWarnings("BanJNDI") // a name of the directory of the test's own container
    public void invoke(Request request, Response response) throws IOException {
        try {
            DataSource orders = (DataSource) new InitialContext().lookup("java:comp/env/jdbc/orders");
            try (Connection connection = orders.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select 'placed'")) {
                row.next();
                response.getReporter().write(row.getString(1));
            }
        } catch (NamingException | SQLException failed) {
            throw new IOException(failed);
        }
    }
}
