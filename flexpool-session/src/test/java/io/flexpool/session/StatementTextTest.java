// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A statement is shown without what may be data. */
class StatementTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            set role tenant_1 | set role tenant_1
            select set_config('app.tenant', 'O''Hara', false) | select set_config(?, ?, false)
            select set_config('a', 'it\\'s', false) | select set_config(?, ?, false)
            set  statement_timeout\tto 1234 | set statement_timeout to ?
            set x to 1.5e3 | set x to ?
            prepare q1 as select $1 | prepare q1 as select $1
            select $tag$secret 'x'$tag$, $$other$$ | select ?, ?
            select 'open | select ?
            set role 'secret' -- 'note | set role ? -- ?
            select $open$ never closed | select ?
            select @v1 := 12 | select @v1 := ?
            """)
    void literalsAreReplaced(String sql, String shown) {
        assertThat(StatementText.shown(sql)).isEqualTo(shown);
    }

    @Test
    void aLongStatementIsCut() {
        assertThat(StatementText.shown("set " + "x".repeat(100_000))).hasSizeLessThan(200);
    }
}
