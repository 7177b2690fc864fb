// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.FlexPool;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A pool that has a module, where the module is not on the class path: as it is here, with no adapter at all. */
class MissingModuleTest {
    /** By name: the compiler would want the annotations that PostgreSQL's driver carries. */
    private static DataSource pool() throws ReflectiveOperationException {
        return Class.forName("org.postgresql.ds.PGPoolingDataSource")
                .asSubclass(DataSource.class)
                .getConstructor()
                .newInstance();
    }

    @Test
    void watchingItNamesTheModuleInAWarning() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            FlexPool.wrap(pool()).name("forgotten").build().close();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("forgotten: no adapter for ")
                        .contains("add io.flexpool:flexpool-adapter-legacy"));
    }

    @Test
    void aLimitIsRefusedByItsName() throws Exception {
        assertThatThrownBy(
                        FlexPool.wrap(pool()).set("base", 2).set("acquisition-timeout", Duration.ofSeconds(1))::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("io.flexpool:flexpool-adapter-legacy");
    }

    @Test
    void aStrategyIsRefusedByItsName() throws Exception {
        assertThatThrownBy(FlexPool.wrap(pool()).set("retry.deadline", Duration.ofSeconds(2))::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("io.flexpool:flexpool-adapter-legacy");
    }
}
