// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import javax.naming.CompositeName;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the factory refuses, without a container. */
class FlexPoolFactoryTest {
    private static @Nullable Object made(String factory, String... attributes) throws NamingException {
        Reference reference = new Reference("javax.sql.DataSource", factory, null);
        for (int each = 0; each < attributes.length; each += 2) {
            reference.add(new StringRefAddr(attributes[each], attributes[each + 1]));
        }
        return new FlexPoolFactory().getObjectInstance(reference, new CompositeName("jdbc/orders"), null, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ceiling | 25 | resource jdbc/orders: ceiling is an unknown attribute | as in flexpool.ceiling",
                "password | hidden | resource jdbc/orders: password is an unknown attribute | use pool",
                "flexpool.bsae | 3 | flexpool.bsae = 3 | flexpool.base",
                "flexpool.base | 0 | flexpool.base = 0: must be from 1 to 10000 | (resource jdbc/orders)"
            })
    void aWrongAttributeIsRefusedByName(String key, String value, String message, String more) {
        assertThatThrownBy(() ->
                        made(FlexPoolFactory.class.getName(), "auth", "Container", "pool", "jdbc/raw", key, value))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(more)
                .hasMessageNotContaining("hidden");
    }

    /** No directory can be read here, as in a container that is starting. */
    @Test
    void aPoolThatCannotBeLookedUpIsAnExceptionOfTheFirstRequest() throws Exception {
        DataSource orders = (DataSource) made(FlexPoolFactory.class.getName(), "pool", "ldap://127.0.0.1/x");
        assertThat(orders).isNotNull().hasToString("flexpool 'orders', which wraps its pool at the first use");
        for (int each = 0; each < 2; each++) {
            assertThatThrownBy(orders::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("data-source.jndi-name = java:comp/env/ldap")
                    .hasMessageContaining("cannot be found");
        }
        ((AutoCloseable) orders).close();
        assertThatThrownBy(orders::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("orders: the pool was closed before its first use");
    }

    @Test
    void aResourceWithoutAPoolIsRefused() {
        assertThatThrownBy(() -> made(FlexPoolFactory.class.getName()))
                .isInstanceOf(NamingException.class)
                .hasMessage("resource jdbc/orders: pool must be the name of the pool to wrap");
    }

    @Test
    void whatIsAnotherFactorysIsLeftToIt() throws Exception {
        assertThat(made("com.acme.Factory", "pool", "jdbc/raw")).isNull();
        assertThat(made("com.acme.Container", "factory", "com.acme.Factory", "pool", "jdbc/raw"))
                .isNull();
        assertThat(new FlexPoolFactory().getObjectInstance("text", null, null, null))
                .isNull();
    }
}
