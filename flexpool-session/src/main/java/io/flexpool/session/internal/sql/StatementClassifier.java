// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

/**
 * Classifies statements by their text. The time is linear in the text's length, the memory is bounded. Stateless and
 * thread-safe. Throws nothing.
 */
@FunctionalInterface
public interface StatementClassifier {
    /**
     * Classifies a text of one or several statements.
     *
     * @param sql the text, as the application passes it to JDBC
     * @return the effect on the session
     */
    Verdict classify(String sql);

    /** {@return the classifier for PostgreSQL 12 to 18} */
    static StatementClassifier postgresql() {
        return sql -> new PostgresReader(sql).verdict();
    }

    /** {@return the classifier for MySQL 8 and 9, and for MariaDB 10.6 to 12} */
    static StatementClassifier mysql() {
        return sql -> new MySqlReader(sql).verdict();
    }
}
