// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.spi.DelegatingDataSource;
import io.flexpool.spi.Texts;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a pool of a container's naming directory, such as Tomcat's, under another name:
 *
 * <pre>{@code
 * <Resource name="jdbc/orders" type="javax.sql.DataSource" factory="io.flexpool.FlexPoolFactory"
 *           pool="jdbc/raw" flexpool.ceiling="25"/>
 * }</pre>
 *
 * <p>{@code pool} is the name of the pool, in {@code java:comp/env} unless it begins with {@code java:}. flexpool's
 * keys are attributes of the same name; of other attributes only the container's are allowed. The pool's name is the
 * last part of the resource's name, unless {@code flexpool.name} is given. The container closes its pool itself:
 * closing this data source only ends flexpool. If the directory cannot be read yet, only the keys are checked, and the
 * pool is looked up at the first use. Needs no class of Tomcat. Made and called by the container; thread-safe.
 */
public final class FlexPoolFactory implements ObjectFactory {
    private static final String FACTORY = "factory";
    private static final String POOL = "pool";
    private static final String KEYS = "flexpool.";
    private static final String DIRECTORY = "java:comp/env";
    private static final String ENVIRONMENT = DIRECTORY + "/";

    /** The attributes that containers add to a reference. */
    private static final Set<String> CONTAINERS_OWN =
            Set.of(FACTORY, "scope", "auth", "singleton", "description", "type", "name", "closeMethod");

    /** Called by the container. */
    public FlexPoolFactory() {}

    /**
     * Makes the wrapped pool of a reference.
     *
     * @param object a {@link Reference} to a data source; other objects are ignored
     * @param name the resource's name in its context; may be null
     * @return the wrapped pool, a {@link javax.sql.DataSource}; null if the object does not name this factory
     * @throws NamingException with all that is wrong in its message: key, value and what is allowed
     */
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (!(object instanceof Reference reference) || !isOurs(reference)) {
            return null;
        }
        try {
            Map<String, String> keys = keys(reference, String.valueOf(name));
            ContainerPool pool = new ContainerPool(poolName(name), keys, "resource " + name);
            try {
                return pool.wrapped();
            } catch (IllegalArgumentException refused) {
                // Only the lookup failed: a refused key would be the cause instead.
                if (refused.getCause() instanceof NamingException && !directoryIsOpen()) {
                    return pool;
                }
                throw refused;
            }
        } catch (RuntimeException refused) {
            NamingException shown = new NamingException(refused.getMessage());
            shown.initCause(refused);
            throw shown;
        }
    }

    /**
     * Whether names can be looked up. Before that, Tomcat creates each data source once, to register it as an MBean,
     * and logs an exception with its stack trace.
     */
    @SuppressWarnings("BanJNDI") // a constant name, in the local directory
    private static boolean directoryIsOpen() {
        try {
            new InitialContext().lookup(DIRECTORY);
            return true;
        } catch (NamingException closed) {
            return false;
        }
    }

    /** Tomcat's references name Tomcat's factory, which finds this factory in an attribute. */
    private static boolean isOurs(Reference reference) {
        RefAddr inner = reference.get(FACTORY);
        Object factory = inner == null ? reference.getFactoryClassName() : inner.getContent();
        return FlexPoolFactory.class.getName().equals(factory);
    }

    private static String poolName(@Nullable Name name) {
        return name == null || name.isEmpty() ? "jndi" : name.get(name.size() - 1);
    }

    private static Map<String, String> keys(Reference reference, String resource) {
        Map<String, String> keys = new LinkedHashMap<>();
        for (RefAddr address : Collections.list(reference.getAll())) {
            String key = address.getType();
            String value = Objects.toString(address.getContent(), "");
            if (key.equals(POOL)) {
                keys.put(KEYS + "data-source.jndi-name", value.startsWith("java:") ? value : ENVIRONMENT + value);
            } else if (key.startsWith(KEYS)) {
                keys.put(key, value);
            } else if (!CONTAINERS_OWN.contains(key)) {
                throw new IllegalArgumentException(Texts.line("resource " + resource + ": " + key
                        + " is an unknown attribute: use " + POOL + ", or a key that begins with " + KEYS + ", as in "
                        + KEYS + key));
            }
        }
        if (!keys.containsKey(KEYS + "data-source.jndi-name")) {
            throw new IllegalArgumentException(
                    Texts.line("resource " + resource + ": " + POOL + " must be the name of the pool to wrap"));
        }
        return keys;
    }

    /**
     * A wrapped pool that a container owns. Containers close every closeable resource separately: closing this one ends
     * flexpool and leaves the pool, which may serve other applications, to the container. Thread-safe.
     *
     * <p>A resource that the container makes before its directory can be read wraps its pool at the first use. Until
     * then {@link #toString()} shows this. If the pool cannot be wrapped, the call throws an {@link SQLException}, and
     * the next call tries again.
     *
     * <p>Public because containers call {@link #close()} by reflection. Applications use it as a {@link DataSource}.
     */
    public static final class ContainerPool extends DelegatingDataSource implements AutoCloseable {
        private final String name;
        /** Null once the pool is wrapped. */
        private @Nullable FlexPoolBuilder builder;
        /** Selects the application's directory: another application's thread may call first. */
        private @Nullable ClassLoader application = Thread.currentThread().getContextClassLoader();

        /** In place of synchronized, which would pin a waiting virtual thread. */
        private final ReentrantLock wrapping = new ReentrantLock();

        private volatile @Nullable FlexPoolDataSource pool;
        private boolean closed;

        /**
         * For a pool that is looked up and wrapped at the first use.
         *
         * @param origin where the keys are written, for refusals
         */
        ContainerPool(String name, Map<String, String> keys, String origin) {
            this(name, new FlexPoolBuilder(null).name(name).framework(its -> its.properties(keys, origin)));
        }

        /** For the builder's pool. */
        ContainerPool(String name, FlexPoolBuilder builder) {
            this.name = name;
            this.builder = builder;
        }

        /** Wraps now, instead of at the first use. */
        ContainerPool wrapped() {
            pool = Objects.requireNonNull(builder).build();
            forget();
            return this;
        }

        /** A resource of the whole server must not keep the class loader of the application that used it first. */
        private void forget() {
            builder = null;
            application = null;
        }

        @Override
        protected DataSource pool() throws SQLException {
            DataSource made = pool;
            return made != null ? made : wrap();
        }

        private DataSource wrap() throws SQLException {
            wrapping.lock();
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            try {
                DataSource other = pool;
                if (other != null) {
                    return other;
                }
                if (closed) {
                    throw new SQLException(name + ": the pool was closed before its first use", "08003");
                }
                thread.setContextClassLoader(application);
                FlexPoolDataSource made = Objects.requireNonNull(builder).build();
                pool = made;
                forget();
                return made;
            } catch (IllegalArgumentException | IllegalStateException refused) {
                throw new SQLException(refused.getMessage(), refused);
            } finally {
                thread.setContextClassLoader(before);
                wrapping.unlock();
            }
        }

        /** Ends flexpool, after a drain if {@code drain.within} is set; the pool stays open. Closing twice has no effect. */
        @Override
        public void close() {
            FlexPoolDataSource made;
            wrapping.lock();
            try {
                closed = true;
                made = pool;
            } finally {
                wrapping.unlock();
            }
            if (made != null) {
                made.release();
            }
        }

        /** Does not wrap the pool: containers log this text. */
        @Override
        public String toString() {
            FlexPoolDataSource made = pool;
            return made != null ? made.toString() : "flexpool '" + name + "', which wraps its pool at the first use";
        }
    }
}
