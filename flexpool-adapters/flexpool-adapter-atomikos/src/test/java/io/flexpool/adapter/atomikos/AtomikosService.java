// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.icatch.CompositeTransaction;
import com.atomikos.icatch.config.Configuration;
import com.atomikos.icatch.jta.UserTransactionManager;
import io.flexpool.adapter.tck.contract.Transactions;
import java.lang.reflect.Field;
import javax.transaction.Status;
import javax.transaction.SystemException;
import javax.transaction.Transaction;

/** Atomikos' own transaction service, of which there is one in the JVM. */
final class AtomikosService implements Transactions {
    private final UserTransactionManager manager = new UserTransactionManager();

    AtomikosService() {
        try {
            manager.init();
        } catch (SystemException cannotStart) {
            throw new IllegalStateException(cannotStart);
        }
    }

    @Override
    public void begin(int timeoutSeconds) throws Exception {
        manager.setTransactionTimeout(timeoutSeconds);
        manager.begin();
    }

    @Override
    public void commit() throws Exception {
        manager.commit();
    }

    @Override
    public void rollback() throws Exception {
        manager.rollback();
    }

    @Override
    public void abandon() throws Exception {
        if (manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
            manager.rollback();
        }
    }

    /** Its status does not show it: a transaction that has timed out is active until the application ends it. */
    @Override
    public boolean failed() {
        CompositeTransaction current =
                Configuration.getCompositeTransactionManager().getCompositeTransaction();
        Object coordinator = current.getCompositeCoordinator();
        try {
            Field timedOut = coordinator.getClass().getDeclaredField("timedout");
            timedOut.setAccessible(true);
            return timedOut.getBoolean(coordinator);
        } catch (ReflectiveOperationException otherwiseMade) {
            throw new IllegalStateException(otherwiseMade);
        }
    }

    @Override
    public Object suspend() throws Exception {
        return manager.suspend();
    }

    @Override
    public void resume(Object suspended) throws Exception {
        manager.resume((Transaction) suspended);
    }

    /** Ends its threads too, without a wait for transactions that have timed out: those stay for minutes. */
    void shutDown() {
        manager.setForceShutdown(true);
        manager.close();
    }
}
