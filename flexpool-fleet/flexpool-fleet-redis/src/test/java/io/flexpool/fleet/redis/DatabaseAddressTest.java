// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseAddressTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        jdbc:postgresql://DB1.example.com:5432/orders?user=me&password=secret | db1.example.com:5432
        jdbc:postgresql://127.0.0.1:5432/reports                              | 127.0.0.1:5432
        jdbc:postgresql://a:5432,b:5433/orders                                | a:5432,b:5433
        jdbc:postgresql://[::1]:5432/orders                                   | [::1]:5432
        jdbc:mysql://me:secret@db:3306/orders                                 | db:3306
        jdbc:mysql://me:se/c@r:et@db:3306/orders                              | db:3306
        jdbc:mysql://(host=db,port=3306,user=me,password=secret)/orders       | db,3306
        jdbc:sqlserver://db\\sales:1433;user=me;password=secret               | db\\sales:1433
        jdbc:oracle:thin:me/secret@db:1521:orcl                               | db:1521
        jdbc:oracle:thin:@//db:1521/orcl                                      | db:1521
        jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1521)))        | db,1521
        """)
    void hostsAndPortsWithoutDatabaseUserAndPassword(String url, String address) {
        assertThat(DatabaseAddress.of(url)).isEqualTo(address);
    }

    @Test
    void aUrlThatShowsNoHostHasNoAddress() {
        for (String url :
                new String[] {null, "", "jdbc:h2:mem:orders", "jdbc:sqlite:orders.db", "jdbc:x://me:secret/db"}) {
            assertThat(DatabaseAddress.of(url)).as(url).isEmpty();
        }
    }
}
