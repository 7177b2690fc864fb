// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.kotlin

import com.zaxxer.hikari.HikariDataSource
import io.flexpool.FlexPool
import io.flexpool.FlexPoolDataSource
import io.flexpool.OpenPools
import io.flexpool.PoolScope
import io.flexpool.adapter.tck.database.PostgresServer
import io.flexpool.diagnostics.Explanation
import io.flexpool.monitoring.PoolMetric
import io.flexpool.pool.AcquisitionOutcome
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.SQLException
import java.sql.SQLTransientConnectionException
import java.time.Duration
import java.util.concurrent.Executors
import javax.sql.DataSource
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

private fun answer(connection: Connection): Int =
    connection.createStatement().use { statement ->
        statement.executeQuery("select 42").use { row ->
            row.next()
            row.getInt(1)
        }
    }

private fun price(connection: Connection, order: Int) = answer(connection) * order

private fun tax(connection: Connection, order: Int) = answer(connection) * order / 6

/** Coroutines on two threads, with HikariCP on a real PostgreSQL. */
@Timeout(300)
class CoroutineOwnerTest {
    companion object {
        private const val TEST = "test/kotlin/io/flexpool/examples/kotlin/CoroutineOwnerTest.kt"
        private var server: PostgresServer? = null

        @BeforeAll
        @JvmStatic
        fun start() {
            assumeTrue(PostgresServer.unavailable().isEmpty) { PostgresServer.unavailable().orElse("") }
            server = PostgresServer.start()
        }

        @AfterAll
        @JvmStatic
        fun stop() {
            server?.close()
        }
    }

    private val one = dispatcher("thread one")
    private val other = dispatcher("thread other")
    private lateinit var hikari: HikariDataSource
    private lateinit var pool: FlexPoolDataSource

    private fun dispatcher(name: String): ExecutorCoroutineDispatcher =
        Executors.newSingleThreadExecutor { work -> Thread(work, name) }.asCoroutineDispatcher()

    @BeforeEach
    fun open() {
        hikari = HikariDataSource()
        hikari.jdbcUrl = server!!.jdbcUrl()
        hikari.username = server!!.user()
        hikari.password = server!!.password()
        hikari.maximumPoolSize = 3
        hikari.connectionTimeout = 5_000
        pool = FlexPool.wrap(hikari).name("orders").build()
    }

    @AfterEach
    fun nothingIsLeft() {
        one.close()
        other.close()
        pool.use { assertThat(it.state().leased()).isZero() }
    }

    private fun nested() = pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS)

    /** A coroutine takes a connection on one thread and goes on elsewhere; another one uses the thread meanwhile. */
    private fun twoCoroutinesShareAThread(context: CoroutineContext) = runBlocking(context) {
        val taken = CompletableDeferred<Unit>()
        val used = CompletableDeferred<Unit>()
        val holder = launch(one) {
            val connection = pool.connection
            withContext(other) {
                taken.complete(Unit)
                used.await()
                assertThat(answer(connection)).isEqualTo(42)
                connection.close()
            }
        }
        val user = launch(one) {
            taken.await()
            pool.connection.use { assertThat(answer(it)).isEqualTo(42) }
            used.complete(Unit)
        }
        joinAll(holder, user)
    }

    @Test
    fun `a coroutine that shares a thread with a holder is not nested`() {
        twoCoroutinesShareAThread(CoroutineOwner())
        assertThat(nested()).isZero()
    }

    /** Why the element is needed. */
    @Test
    fun `without an owner it looks nested`() {
        twoCoroutinesShareAThread(EmptyCoroutineContext)
        assertThat(nested()).isEqualTo(1)
    }

    @Test
    fun `a second request of one coroutine is nested on whatever thread`() {
        runBlocking(CoroutineOwner()) {
            launch(one) {
                pool.connection.use { first ->
                    withContext(other) { pool.connection.use { assertThat(answer(it)).isEqualTo(answer(first)) } }
                }
                assertThat(nested()).isEqualTo(1)
                // It holds none any more.
                withContext(other) { pool.connection.close() }
            }
        }
        assertThat(nested()).isEqualTo(1)
    }

    @Test
    fun `strict refuses it with the coroutine's name`() {
        OpenPools.release(pool, null)
        pool = FlexPool.wrap(hikari).name("orders").set("nested", "strict").build()
        assertThatThrownBy {
            runBlocking(CoroutineOwner() + CoroutineName("checkout")) {
                withContext(one) {
                    pool.connection.use { withContext(other) { pool.connection.close() } }
                }
            }
        }
            .isInstanceOf(SQLException::class.java)
            .hasMessageMatching("orders: nested = strict: checkout#\\d+ on thread other.* requests a second .*")
    }

    @Test
    fun `a child is an owner of its own`() {
        runBlocking(CoroutineOwner()) {
            pool.connection.use { held ->
                coroutineScope {
                    awaitAll(*Array(2) { async(one) { pool.connection.use { answer(it) } } })
                }
                assertThat(answer(held)).isEqualTo(42)
            }
        }
        assertThat(nested()).isZero()
    }

    @Test
    fun `an open lease has the coroutine's name and closes anywhere`() {
        runBlocking(one + CoroutineOwner() + CoroutineName("checkout")) {
            val connection = pool.connection
            val lease = pool.openLeases().single()
            assertThat(lease.thread()).matches("checkout#\\d+ on thread one.*")
            assertThat(lease.threadId()).isNegative()
            withContext(other) {
                assertThat(pool.openLeases().single().thread()).matches("checkout#\\d+ on thread other.*")
            }
            withContext(other) { connection.close() }
        }
    }

    private fun causeWhileAHolderIsSuspended(context: CoroutineContext): Explanation.Cause = runBlocking(context) {
        hikari.maximumPoolSize = 1
        hikari.connectionTimeout = 250
        val taken = CompletableDeferred<Unit>()
        val used = CompletableDeferred<Unit>()
        val holder = launch(one) {
            pool.connection.use {
                taken.complete(Unit)
                used.await()
            }
        }
        taken.await()
        withContext(other) { assertThatThrownBy { pool.connection }.isInstanceOf(SQLException::class.java) }
        used.complete(Unit)
        holder.join()
        pool.diagnosis().lastExplanation()!!.cause()
    }

    /** Its thread has nothing to do, which looks as if the lease had been forgotten. */
    @Test
    fun `a suspended holder is not taken for a leak`() {
        assertThat(causeWhileAHolderIsSuspended(CoroutineOwner())).isEqualTo(Explanation.Cause.HELD)
    }

    @Test
    fun `without an owner it is taken for one`() {
        assertThat(causeWhileAHolderIsSuspended(EmptyCoroutineContext)).isEqualTo(Explanation.Cause.LEAK)
    }

    @Test
    fun `class and deadline of a scope go on with the coroutine`() {
        OpenPools.release(pool, null)
        hikari.maximumPoolSize = 1
        pool = FlexPool.wrap(hikari)
            .name("orders")
            .set("base", 1)
            .set("acquisition-timeout", Duration.ofSeconds(10))
            .set("classes", "web, batch")
            .build()
        runBlocking(CoroutineOwner()) {
            withContext(one) {
                PoolScope.of("batch").deadline(Duration.ofHours(1)).open().use {
                    withContext(other) { pool.connection.use { assertThat(held("batch")).isEqualTo(1) } }
                    launch(other) { pool.connection.use { assertThat(held("batch")).isEqualTo(1) } }.join()
                }
                // Nothing is left behind, on either thread.
                pool.connection.use { assertThat(held("web")).isEqualTo(1) }
                withContext(other) { pool.connection.use { assertThat(held("web")).isEqualTo(1) } }
            }
            exhausted {
                withContext(one) {
                    PoolScope.within(Duration.ZERO).open().use {
                        withContext(other) {
                            // Else it would wait for the acquisition timeout, 10 s.
                            assertThatThrownBy { pool.connection }
                                .isInstanceOf(SQLTransientConnectionException::class.java)
                                .message()
                                .contains("no connection after")
                                .doesNotContainPattern("after \\d{5} ms")
                        }
                    }
                }
            }
        }
    }

    private suspend fun exhausted(work: suspend () -> Unit) {
        val held = CoroutineScope(one + CoroutineOwner()).async { pool.connection }.await()
        held.use { work() }
    }

    private fun held(name: String) = pool.classes().single { it.name() == name }.leased()

    @Test
    fun `a scope that is open where the owner is made holds for its coroutine`() {
        OpenPools.release(pool, null)
        pool = FlexPool.wrap(hikari).name("orders").set("base", 1).set("classes", "web, batch").build()
        PoolScope.of("batch").open().use {
            runBlocking(other + CoroutineOwner()) {
                pool.connection.use { assertThat(held("batch")).isEqualTo(1) }
            }
        }
    }

    @Test
    fun `coroutines that change threads all the time leave nothing behind`() {
        // One for each: else a thread would wait for a coroutine that waits for the thread.
        hikari.maximumPoolSize = 8
        runBlocking(CoroutineOwner()) {
            List(8) { number ->
                launch(if (number % 2 == 0) one else other) {
                    repeat(20) {
                        val here = if (it % 2 == 0) one else other
                        withContext(here) {
                            val connection = pool.connection
                            yield()
                            assertThat(answer(connection)).isEqualTo(42)
                            connection.close()
                        }
                    }
                }
            }.joinAll()
        }
        assertThat(nested()).isZero()
        assertThat(pool.openLeases()).isEmpty()
        assertThat(pool.statistics().total().acquisition(AcquisitionOutcome.OK).count()).isEqualTo(160)
    }

    @Test
    fun `it runs on the version that the build says`() {
        val jar = Path.of(CoroutineScope::class.java.protectionDomain.codeSource.location.toURI())
        assertThat(jar.fileName.toString())
            .isEqualTo("kotlinx-coroutines-core-jvm-" + System.getProperty("expected.coroutines") + ".jar")
    }

    /** The example of docs/reference/frameworks.md. */
    // on the page
    class Orders(private val pool: DataSource) {
        private val scope = CoroutineScope(Dispatchers.IO + CoroutineOwner())

        fun place(order: Int): Deferred<Int> = scope.async(CoroutineName("place")) {
            pool.connection.use { connection ->
                val price = price(connection, order)
                yield() // may continue on another thread of Dispatchers.IO
                price + tax(connection, order)
            }
        }
        // up to here
    }

    @Test
    fun `the page shows what is run here`() {
        val orders = Orders(pool)
        runBlocking { assertThat(List(3) { orders.place(6) }.awaitAll()).containsExactly(294, 294, 294) }
        assertThat(nested()).isZero()
        val page = spaceless(Files.readString(Path.of("..", "..", "docs", "reference", "frameworks.md")))
        val source = Files.readString(Path.of("src", TEST))
        assertThat(page).contains(spaceless(source.substringAfter("// on the page\n").substringBefore("// up to here")))
    }

    private fun spaceless(text: String) = text.replace(Regex("\\s+"), "")
}
