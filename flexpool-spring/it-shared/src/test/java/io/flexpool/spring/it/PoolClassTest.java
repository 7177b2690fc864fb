// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.PoolClass;
import io.flexpool.spring.scope.FlexPoolScopeAutoConfiguration;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** What methods of beans say of the connections that they ask for. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class PoolClassTest {
    @Retention(RetentionPolicy.RUNTIME)
    @PoolClass("batch")
    @interface Nightly {}

    /** Asks for a connection, and says of which class it is. */
    abstract static class Asking {
        private final DataSource source;
        private final FlexPools pools;

        Asking(DataSource source, FlexPools pools) {
            this.source = source;
            this.pools = pools;
        }

        String asked() {
            try (Connection held = source.getConnection()) {
                assertThat(held.isClosed()).isFalse();
                return held();
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }

        /** The classes that hold connections now. */
        String held() {
            List<String> holding = pools.byName().values().iterator().next().classes().stream()
                    .filter(one -> one.leased() > 0)
                    .map(RequestClass::name)
                    .toList();
            return String.join(" and ", holding);
        }
    }

    static class Plain extends Asking {
        Plain(DataSource source, FlexPools pools) {
            super(source, pools);
        }

        String unsaid() {
            return asked();
        }

        @PoolClass("batch")
        String batch() {
            return asked();
        }

        @Nightly
        String nightly() {
            return asked();
        }

        @PoolClass("btach")
        String misspelt() {
            return asked();
        }

        @PoolClass("batch")
        @Transactional
        public String inATransaction() {
            return held();
        }

        @Async
        @PoolClass("batch")
        public CompletableFuture<String> elsewhere() {
            return CompletableFuture.completedFuture(asked());
        }

        @Transactional(timeoutString = "${seconds}")
        public String shortly() {
            return held();
        }
    }

    @PoolClass("batch")
    static class Importer extends Asking {
        Importer(DataSource source, FlexPools pools) {
            super(source, pools);
        }

        String run() {
            return asked();
        }

        @PoolClass("interactive")
        String preview() {
            return asked();
        }
    }

    static class HeirOfImporter extends Importer {
        HeirOfImporter(DataSource source, FlexPools pools) {
            super(source, pools);
        }

        @Override
        String run() {
            return super.run();
        }

        String more() {
            return asked();
        }
    }

    interface Reporting {
        @PoolClass("batch")
        String report();
    }

    static class Reports extends Asking implements Reporting {
        Reports(DataSource source, FlexPools pools) {
            super(source, pools);
        }

        @Override
        public String report() {
            return asked();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableAsync
    @Import({Plain.class, Importer.class, HeirOfImporter.class, Reports.class})
    static class Application {
        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }
    }

    private static ApplicationContextRunner application() {
        return Contexts.boot()
                .withConfiguration(AutoConfigurations.of(FlexPoolScopeAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "flexpool.base=1",
                        "flexpool.classes=interactive,batch",
                        "flexpool.acquisition-timeout=10m",
                        "seconds=1");
    }

    @Test
    void aMethodSaysTheClassAndOthersAreOfTheFirst() {
        application().run(context -> {
            Plain plain = context.getBean(Plain.class);
            assertThat(plain.unsaid()).isEqualTo("interactive");
            assertThat(plain.batch()).isEqualTo("batch");
            assertThat(plain.nightly()).isEqualTo("batch");
            assertThat(plain.unsaid()).isEqualTo("interactive");
        });
    }

    @Test
    void aTypeSaysItForItsMethodsItsHeirsAndImplementations() {
        application().run(context -> {
            Importer importer = (Importer) context.getBean(Importer.class.getName());
            HeirOfImporter heir = context.getBean(HeirOfImporter.class);
            assertThat(importer.run()).isEqualTo("batch");
            assertThat(importer.preview()).as("the method comes first").isEqualTo("interactive");
            assertThat(heir.run()).isEqualTo("batch");
            assertThat(heir.more()).isEqualTo("batch");
            assertThat(heir.preview()).isEqualTo("interactive");
            assertThat(context.getBean(Reporting.class).report()).isEqualTo("batch");
        });
    }

    @Test
    void theScopeIsOpenBeforeTheTransactionAsksForItsConnection() {
        application()
                .run(context -> assertThat(context.getBean(Plain.class).inATransaction())
                        .isEqualTo("batch"));
    }

    @Test
    void anAsynchronousMethodIsOfItsClassOnItsOwnThread() {
        application()
                .run(context -> assertThat(
                                context.getBean(Plain.class).elsewhere().get())
                        .isEqualTo("batch"));
    }

    @Test
    void aNameThatIsNoClassIsLoggedWithTheNearest(CapturedOutput log) {
        application().run(context -> {
            // The last class, and not the first, most important one.
            assertThat(context.getBean(Plain.class).misspelt()).isEqualTo("batch");
            assertThat(log.getOut())
                    .containsOnlyOnce("@PoolClass(\"btach\") on " + Plain.class.getName()
                            + ".misspelt: no pool has such a class; the nearest is batch");
        });
    }

    @Test
    void aTransactionsTimeoutIsADeadlineIfWanted() {
        application().withPropertyValues("flexpool.transaction-deadlines=true").run(context -> {
            FlexPoolDataSource pool = Contexts.pool(context, "dataSource");
            Plain plain = context.getBean(Plain.class);
            assertThat(plain.shortly()).isEqualTo("interactive");
            try (Connection only = pool.getConnection()) {
                assertThat(only.isClosed()).isFalse();
                Throwable late = CompletableFuture.supplyAsync(() -> catchThrowable(plain::shortly))
                        .get();
                assertThat(late)
                        .isInstanceOf(CannotCreateTransactionException.class)
                        .hasStackTraceContaining("exhausted: interactive holds 1");
            }
        });
    }

    /** The wait is not over before the connection comes back, which is after the timeout of the transaction. */
    @Test
    void aTransactionsTimeoutIsNoDeadlineUnlessWanted() {
        application().run(context -> {
            FlexPoolDataSource pool = Contexts.pool(context, "dataSource");
            Plain plain = context.getBean(Plain.class);
            Connection only = pool.getConnection();
            CompletableFuture<String> held = CompletableFuture.supplyAsync(plain::shortly);
            Thread.sleep(1_200);
            only.close();
            assertThat(held.get()).isEqualTo("interactive");
        });
    }

    @Test
    void aSwitchThatIsNoneIsRefused() {
        application()
                .withPropertyValues("flexpool.transaction-deadlines=yes")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("flexpool.transaction-deadlines = yes: must be true or false"));
    }
}
