// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The bean that receives metrics or spans: the only one of its type, or the primary one. Found once, after the start.
 * Not while a pool is being wrapped, because flexpool's lock is held then, and the container has a lock too.
 * Thread-safe.
 *
 * @param <T> the type of the bean
 */
final class OnlyBean<T> {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");

    private final ObjectProvider<T> beans;
    private final String type;
    private final String purpose;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable T found;

    /** The purpose is the end of the log's sentence "no ...". */
    OnlyBean(ObjectProvider<T> beans, Class<T> type, String purpose, AfterStart start) {
        this.beans = beans;
        this.type = type.getSimpleName();
        this.purpose = purpose;
        start.run(this::find);
    }

    private void find() {
        found = beans.getIfUnique();
    }

    /**
     * The bean, once the application has started.
     *
     * @return the bean; empty if several exist without a primary one, which is logged once
     */
    Optional<T> get() {
        T bean = found;
        if (bean != null) {
            return Optional.of(bean);
        }
        if (warned.compareAndSet(false, true)) {
            LOG.warn("there are several beans of the type {} and none is @Primary: no {}", type, purpose);
        }
        return Optional.empty();
    }

    /** Like {@link #get()}, without a log line. */
    Optional<T> quietly() {
        return Optional.ofNullable(found);
    }
}
